// The grade of a turn, by the part of the row's best score that it lost, as chess players mark moves. A result keeps
// grades by their places here.

export const GRADES = [
  { least: 0, mark: "", name: "good", square: "🟩" },
  { least: 0.005, mark: "?!", name: "inaccurate", square: "🟡" },
  { least: 0.015, mark: "?", name: "a mistake", square: "🔶" },
  { least: 0.03, mark: "??", name: "a blunder", square: "🔺" },
];

export const gradeOf = (lost, best) => GRADES.findLastIndex(({ least }) => lost >= least * best);

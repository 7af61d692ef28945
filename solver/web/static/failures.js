// What can go wrong between the page and its engine.

// a question that the engine answers with a message for the user
export class Refused extends Error {}

// the engine does not answer
export class Lost extends Error {}

"""The units of figures: what a score, a priority and a bound are counted in.

Scores are whole points. Priorities and the prices of beams are whole sixteenths of a point, so that a price need not be whole.
Bounds, and the prices that prove them, are whole thousandths of a point, as certificates write them.
"""

SCALE = 16  # of a priority: sixteenths of a point
POINT = 1000  # of a bound: thousandths of a point

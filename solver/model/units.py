"""The units of scores, priorities and bounds.

Scores are whole points. Priorities and the prices of beams are whole sixteenths of a point, so that prices can be fractions of
a point. Bounds, and the prices that prove them, are whole thousandths of a point, as in certificates.
"""

SCALE = 16  # units of a priority in one point
POINT = 1000  # units of a bound in one point

"""Arrays of bounds, named by the type of their numbers. Docstrings give shapes and units."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
SmallInts = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.int8]
Masks = npt.NDArray[np.uint64]

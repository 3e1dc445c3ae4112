"""Imported before NumPy, this holds every library to one thread."""

import os

NAMES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")
os.environ.update(dict.fromkeys(NAMES, "1"))

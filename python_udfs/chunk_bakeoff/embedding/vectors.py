"""What a usable vector is."""

from __future__ import annotations

import numpy as np

from chunk_bakeoff.embedding.declared import DeclaredModel
from chunk_bakeoff.errors import UserError

# Vectors are unit length up to float32 rounding.
NORM_TOLERANCE = 1e-3


def check_dimensions(model: DeclaredModel, vectors: np.ndarray) -> None:
    """Refuse a model whose vectors are not as long as declared.

    Raises:
        UserError: names the model and both dimensions.
    """
    actual = vectors.shape[-1] if vectors.ndim == 2 else 0
    if actual != model.dimensions:
        raise UserError(
            f"embedding model {model.name!r} gives vectors of dimension {actual}, but is declared "
            f"with dimensions {model.dimensions}; correct the setting embedding_models"
        )


def defect(vector: np.ndarray) -> str | None:
    """Why a vector cannot be stored; None when it can."""
    if not np.isfinite(vector).all():
        return "the vector holds NaN or infinity"
    norm = float(np.linalg.norm(vector))
    if norm == 0:
        return "the vector is zero"
    if abs(norm - 1) > NORM_TOLERANCE:
        return f"the vector has length {norm:.4f} instead of 1"
    return None

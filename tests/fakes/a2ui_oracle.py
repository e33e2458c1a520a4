"""Values worked out by the reference implementation of A2UI, for comparison."""

import warnings

from a2ui.core.basic_catalog import BasicCatalog
from a2ui.core.exceptions import A2uiError
from a2ui.core.resolution.data_context import DataContext
from a2ui.core.state.data_model import DataModel
from a2ui.core.state.surface_model import SurfaceModel


class Oracle:
    """One surface of the reference implementation."""

    def __init__(self, data, version="v0.9", base="/", index=None):
        model = DataModel()
        model.set("/", data)
        surface = SurfaceModel("s", BasicCatalog(version), data_model=model)
        context = DataContext(surface)
        self._context = context if base == "/" else context.nested(base, index)

    def value(self, dynamic):
        """What `dynamic` resolves to; None where the reference implementation raises."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return self._context.resolve_dynamic_value(dynamic)
            except (A2uiError, ValueError):
                return None

"""Where the written vectors come from. Each source stands on something else than the engine that is tested: on tests
that tell what the rulebook says, on a second engine, or on a search that tries everything.
"""

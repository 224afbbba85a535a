"""An index that is built while others write."""

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import AddIndex
from django.db.migrations.state import ProjectState


class AddIndexConcurrently(AddIndex):
    """AddIndex, during which PostgreSQL lets others write. It is for migrations with `atomic = False`.

    Django's own is for PostgreSQL alone, and fails where it is repeated: a build that was broken off leaves an invalid
    index. So an index of this name is dropped first.
    """

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Drop what has this name, and build the index."""
        name = schema_editor.quote_name(self.index.name)
        if schema_editor.connection.vendor != "postgresql":
            schema_editor.execute(f"DROP INDEX IF EXISTS {name}")
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        schema_editor.add_index(model, self.index, concurrently=True)  # type: ignore[call-arg]

"""Which migrations may run while the code before them serves: those that add what it need not know, and keep it waiting
for no longer than a moment.

docs/decisions/0098.
"""

from collections.abc import Sequence

from django.db.migrations import Migration, operations
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import Field

from scoring.storage.indexes import AddIndexConcurrently

# What takes nothing away and asks nothing of rows that are written without knowing it.
HARMLESS = (
    *(operations.CreateModel, AddIndexConcurrently, operations.RemoveIndex, operations.RenameIndex),
    *(operations.AlterModelOptions, operations.AlterModelManagers, operations.AlterModelTableComment),
)


def reasons_to_stop(plan: Sequence[Migration], state: ProjectState) -> dict[tuple[str, str], list[str]]:
    """The operations of each migration, by app and name, under which the code before it fails; none: it may serve.

    `state` is that of the models before the first of them; it is changed.
    """
    new_models: set[tuple[str, str]] = set()
    reasons: dict[tuple[str, str], list[str]] = {}
    for migration in plan:
        label = migration.app_label
        found: list[str] = []
        for operation in migration.operations:
            if isinstance(operation, operations.CreateModel):
                new_models.add((label, operation.name_lower))
            elif (label, _model_of(operation)) not in new_models and not _is_harmless(operation, label, state):
                found.append(operation.describe())
            operation.state_forwards(label, state)
        reasons[label, migration.name] = found
    return reasons


def _model_of(operation: Operation) -> str:
    return str(getattr(operation, "model_name", "")).lower()


def _is_harmless(operation: Operation, label: str, state: ProjectState) -> bool:
    match operation:
        case operations.SeparateDatabaseAndState(database_operations=parts):
            return not parts
        case operations.AddField(field=field):
            # While an index is built, or a column is written in each row, nobody gets into the table.
            is_quick = not (field.db_index or field.unique or field.generated)  # type: ignore[attr-defined]
            # Django takes a default away from the database again, unless it is `db_default`.
            return field.many_to_many or (is_quick and (field.null or field.has_db_default()))
        case operations.AlterField(field=field):
            before: Field = state.models[label, operation.model_name_lower].fields[operation.name]  # type: ignore[type-arg]
            return _of_column(before) == _of_column(field)
    return isinstance(operation, HARMLESS)


def _of_column(field: "Field") -> tuple[object, ...]:  # type: ignore[type-arg]
    """What the database knows of a field. Only names, texts and choices of others may differ."""
    _, path, args, options = field.deconstruct()
    return path, args, {name: value for name, value in options.items() if name not in {*field.non_db_attrs, "default"}}

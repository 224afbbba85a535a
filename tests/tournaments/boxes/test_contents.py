"""Every model is carried in a box, derived on arrival or left out, with a reason: none can be forgotten.

Planted fault: a model added to an application, in no list.
"""

from django.apps import apps

from tournaments.boxes.contents import CARRIED, DERIVED, LEFT_OUT, WITHIN
from tournaments.boxes.manifest import APPS, migrations, schema


def test_each_model_is_carried_derived_or_left_out_and_in_one_list_alone():
    ours = sorted(model._meta.label_lower for app in APPS for model in apps.get_app_config(app).get_models())
    partly = {"tournaments.scoresheet", "tournaments.eveningsheet"}
    listed = [kind.name for kind in CARRIED] + [*DERIVED, *WITHIN, *LEFT_OUT]
    assert sorted(listed) == ours
    assert all([*DERIVED.values(), *LEFT_OUT.values()])
    assert partly <= {kind.name for kind in CARRIED}, "how far their money is settled; the rest is derived"


def test_a_kind_refers_to_kinds_that_come_before_it_or_in_the_same_part():
    names = [kind.name for kind in CARRIED]
    for kind in CARRIED:
        assert all(names.index(target) <= names.index(kind.name) for target in kind.refers.values()), kind.name


def test_the_level_of_a_box_is_the_last_migration_of_each_application():
    assert all(level in migrations(app) and level[:4].isdigit() for app, level in schema().items())

"""Running a stateful property test: this many histories of this many steps, without a time limit."""

from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test


def run_machine(machine: type[RuleBasedStateMachine], *, examples: int, steps: int) -> None:
    """Try a state machine; a failure is reported as the shortest history that fails."""
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )

"""What holds for every test: the amount of random examples and a seed that the report's head prints."""

import os
import random

import pytest
from hypothesis import HealthCheck, settings

# No deadline: two shared cores make a slow example, not a wrong one.
settings.register_profile(
    "quick", max_examples=50, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("long", settings.get_profile("quick"), max_examples=2000)
# The same examples for every mutant (make mutate): a change is caught by what is looked at, not by luck.
settings.register_profile("mutation", settings.get_profile("quick"), derandomize=True, database=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    # Hypothesis names no seed of its own before a failure, so a run that hangs could not be repeated.
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = random.SystemRandom().randrange(2**32)


def pytest_report_header(config: pytest.Config) -> str:
    seed = config.option.hypothesis_seed
    return f"repeat the random examples of this run with --hypothesis-seed={seed}"

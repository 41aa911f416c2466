"""The first block of the README runs unchanged, and is short."""
import os
import re
import subprocess
import sys
from pathlib import Path

from .stage import URL, Agent, Case

README = (Path(__file__).parents[1] / "README.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


class Readme(Case):
    def test_its_first_block_has_ten_lines_and_pays(self) -> None:
        self.assertEqual(len(BLOCKS[0].splitlines()), 10)
        for limit, said in ((100, "EXECUTED 12.5"), (1, "PAYMENT_DENIED")):
            env = {**os.environ, "BURSAR_URL": URL, "BURSAR_AGENT_KEY": Agent(spendLimitPerTx=limit).key}
            ran = subprocess.run([sys.executable, "-c", BLOCKS[0]], env=env, capture_output=True, text=True, timeout=60)
            self.assertTrue(ran.stdout.startswith(said), ran)

    def test_its_other_blocks_are_python(self) -> None:
        for block in BLOCKS:
            compile(block, "README.md", "exec")

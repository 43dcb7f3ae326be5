import sys

from debate_ledger.cli import main

sys.exit(main())

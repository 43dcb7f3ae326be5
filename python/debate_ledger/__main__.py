from debate_ledger.cli import main

main()

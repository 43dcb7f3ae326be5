"""Warehouse of multi-agent debates: landing helpers, statistics, the command line."""

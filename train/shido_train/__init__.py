"""Trains networks for shido on shards of positions and writes them as KataGo does."""

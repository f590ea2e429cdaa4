"""The walk forward: what lessons would have caught, had each mistake become one as soon as its session ended."""

"""lessons: learns from the mistakes AI coding agents make and stops them from being made again."""

__version__ = "0.1.0"

"""The steps of `lessons init`."""

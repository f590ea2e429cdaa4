"""The resident server that answers hook calls from memory."""

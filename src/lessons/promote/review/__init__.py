"""What a person decides about: the cases of a review, whatever shows them."""

"""How good mining is: labelled transcripts in, figures about the candidates that it makes of them out."""

"""From texts to stored vectors: models, providers, the durable store."""

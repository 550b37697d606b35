"""What SQL alone cannot say about a run: covers of evidence, what a model read, graded tests."""

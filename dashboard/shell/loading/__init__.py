"""What several pages load: groups, clusters, uploads and applications, each kept in one cache."""

-- hold: owner
return finish(ARGV[1], IN_DOUBT, 0)

-- complete: owner, retention, outcome
return finish(ARGV[1], COMPLETED, tonumber(ARGV[2]), ARGV[3])

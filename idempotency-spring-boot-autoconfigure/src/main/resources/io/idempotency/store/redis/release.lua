-- release: owner, retention
return finish(ARGV[1], RETRYABLE, tonumber(ARGV[2]))

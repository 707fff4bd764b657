-- 13 'delete'; 'sweep' to remove it only if it has expired; 'tidy' as well, and its entries in
-- lists if it does not exist, 14 being the title they have, 15 the mark it was found by or ''
if ARGV[13] == 'delete' then
  if not alive then return {'ABSENT'} end
  local was = expired() and 'ABSENT' or 'OK'
  wipe()
  return {was, n(version)}
end
if expired() then
  wipe()
  return {'OK', n(version)}
end
if not alive then
  if ARGV[13] == 'tidy' then
    call('ZREM', U, id)
    call('ZREM', C, id)
    call('ZREM', T, ARGV[14] .. '\n' .. id)
    call('ZREM', G, ARGV[15] .. '\n' .. id)
  end
  return {'ABSENT'}
end
if not life then return {'ABSENT'} end
call('HSET', S, 'due', n(updated + life))
return {'ALIVE', n(updated + life)}

-- Takes out items and adds others at the end.
-- 13 version at which the places were read, '' for any, '!' if they are not as expected,
-- 14 bytes, 15 '1' if an item has an id, 16 position they were made for or '', 17 times of their own
-- or '', 18 how many places, 19… places: '@' and a position, or '#' or, for a damaged item, '?' and its index; then items
if expired() then wipe() end
local no = refused()
if no then return no end
if not alive then return {'ABSENT'} end
if ARGV[13] == '!' then return {'SUFFIX'} end
if ARGV[13] ~= '' and ARGV[13] ~= n(version) then return {'AGAIN'} end
local count, taken = tonumber(ARGV[18]), {}
for i = 1, count do
  local how, where = match(ARGV[18 + i], '^(.)(.*)$')
  local index, item = where, nil
  if how == '@' then
    index, item = find(I, where)
  else
    item = call('LINDEX', I, where)
  end
  if not item then return {'MISSING'} end
  taken[i] = {index, item, how == '?'}
end
no = misplaced(ARGV[16], version + count + 1)
if no then return no end
touch()
reserve()
for _, t in ipairs(taken) do
  local p = positionOf(t[2])
  if t[3] then call('HSET', Q, p or 'unknown-' .. n(version), t[2]) end
  leave(t[2])
  call('LSET', I, t[1], 'x')
  change('removed', p or '0')
end
call('LREM', I, count, 'x')
local first, last = '-', '-'
local from = 19 + count
if #ARGV >= from then
  first = n(version + 1)
  insert(true, version + 1, from, ARGV[14], ARGV[15], timesOf(ARGV[17], newestTime()))
  version = version + #ARGV - from + 1
  last = n(version)
end
save()
return done(first, last)

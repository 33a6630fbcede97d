-- Sends `POST /transfers` with wrk, the keys in turn, each request with an idempotency key of its own.
-- Arguments: a file with one request a line (key, tab, body), a name for this load, and where in the file to begin.
local heads, bodies = {}, {}
local name, count

function init(arguments)
  for line in io.lines(arguments[1]) do
    local key, body = line:match("^(%S+)\t(.+)$")
    heads[#heads + 1] = "POST " .. wrk.path .. " HTTP/1.1\r\nHost: " .. wrk.host .. ":" .. wrk.port
      .. "\r\nAuthorization: Bearer " .. key .. "\r\nContent-Type: application/json\r\nContent-Length: " .. #body
      .. "\r\nIdempotency-Key: "
    bodies[#bodies + 1] = "\r\n\r\n" .. body
  end
  name, count = arguments[2], tonumber(arguments[3])
end

function request()
  count = count + 1
  local place = count % #heads + 1
  return heads[place] .. name .. "-" .. count .. bodies[place]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"refused":%d,"failed":%d,"microseconds":%d,"p50":%d,"p99":%d}\n',
    summary.requests, errors.status, errors.connect + errors.read + errors.write + errors.timeout, summary.duration,
    latency:percentile(50), latency:percentile(99)))
end

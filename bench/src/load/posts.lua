-- Makes courses, each with a name and an idempotency key of its own.
local threads = 0

function setup(thread)
    threads = threads + 1
    thread:set("number", threads)
end

local made = 0

function init()
    math.randomseed(os.time() * 16 + number)
    wrk.method = "POST"
    wrk.headers["content-type"] = "application/json"
end

function request()
    made = made + 1
    local name = string.format("Course %d of hand %d", made, number)
    local key = string.format("%08x%08x-bench", math.random(0, 4294967295), math.random(0, 4294967295))
    wrk.headers["idempotency-key"] = key
    return wrk.format(nil, nil, nil, '{"name":"' .. name .. '","language":"en","description":"Written by the bench."}')
end

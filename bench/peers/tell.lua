-- Tells the figures of a run as one line of JSON.
function done(summary, latency, requests)
    local errors = summary.errors
    io.write(string.format(
        '\n{"requests":%d,"micros":%d,"p50":%.4f,"p90":%.4f,"p99":%.4f,"bytes":%d,"refused":%d,"broken":%d}\n',
        summary.requests, summary.duration,
        latency:percentile(50) / 1000, latency:percentile(90) / 1000, latency:percentile(99) / 1000,
        summary.bytes, errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end

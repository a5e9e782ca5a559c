// Takes webhooks: all of them at /hooks, none of them at /broken.
import { createServer } from "node:http";

export async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.writeHead(request.url === "/broken" ? 500 : 204).end());
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

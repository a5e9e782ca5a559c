// Pages that are empty although their list goes on, as where the service has looked at enough.
const EMPTY = { object: "list", data: [], has_more: true, next_cursor: "further" };

export async function checkLists({ page, report, examined, visit }) {
  let ahead = 3;
  await page.route("**/v1/cohorts?*", (route) => {
    ahead -= 1;
    if (ahead >= 0) return route.fulfill({ json: EMPTY });
    const address = new URL(route.request().url());
    address.searchParams.delete("startingAfter");
    return route.continue({ url: address.href });
  });
  const rows = page.locator(".table tbody tr");
  const told = {};
  await visit(page, "#/cohorts");
  told.passed_over = (await rows.count()) > 0;
  ahead = 10;
  await visit(page, "#/courses");
  await visit(page, "#/cohorts");
  told.nothing_yet = await rows.count();
  await examined(page, "a list of which nothing was found yet", report);
  await page.locator(".more .button").click();
  await rows.first().waitFor();
  told.goes_on = (await rows.count()) > 0;
  report.lists = told;
  await page.unrouteAll();
}

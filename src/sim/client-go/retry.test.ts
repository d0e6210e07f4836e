import { expect, test } from "vitest";
import { genericStatus, requestText, retryDelay } from "./retry.ts";

const answer = (status: number, after?: string) => ({ type: "http.response", request: 1, status, ...(after === undefined ? {} : { headers: { "Retry-After": after } }) }) as const;

test.each([
  [answer(429, "1"), 1, 1_000_000], [answer(429, "1"), 10, 1_000_000], [answer(429, "1"), 11, undefined], [answer(503, "5"), 1, 5_000_000], [answer(429), 1, undefined], [answer(404, "1"), 1, undefined], [answer(429, "soon"), 1, undefined], [answer(200, "1"), 1, undefined],
])("%j after %i tries: again in %s", (response, sent, delay) => {
  expect(retryDelay(response, sent)).toBe(delay);
});

test("answers without a Status are worded by the client", () => {
  expect(genericStatus(429, "Too many requests, please try again later.", "get pods x")).toMatchObject({ code: 429, reason: "TooManyRequests", message: "the server has received too many requests and has asked us to try again later (get pods x)" });
  expect(genericStatus(429, { kind: "Status" }, "get pods x")).toBeUndefined();
  expect(genericStatus(200, "ok", "get pods x")).toBeUndefined();
  expect(requestText({ method: "GET", path: "/apis/apps/v1/namespaces/shop/deployments/web" })).toBe("get deployments.apps web");
  expect(requestText({ method: "POST", path: "/api/v1/namespaces/shop/pods" })).toBe("post pods");
  expect(requestText({ method: "GET", path: "/api/v1/namespaces/shop" })).toBe("get namespaces shop");
});

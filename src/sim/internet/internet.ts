// Models the world outside the cluster, as far as Pods ask it: names, and web servers behind them
import type { TrafficRequest, TrafficResponse } from "../api/traffic.ts";
import type { Component } from "../kernel/types.ts";

export interface InternetState {
  readonly served: number;
}

/** Component "internet": every server that is not the cluster's. Simplified: each public name has one that takes any connection and answers any path with a page of its own. */
export function createInternet(): Component<InternetState> {
  return {
    id: "internet",
    machine: "internet",
    init: () => ({ served: 0 }),
    step(state, message, ctx) {
      if (message.type !== "traffic.request") return state;
      const { protocol, host = "", path = "/", method, toPort } = message as TrafficRequest;
      const page = `<!doctype html>\n<title>${host}</title>\n<h1>${host}${path}</h1>\n`;
      const answer: TrafficResponse = { type: "traffic.response", request: ctx.mail, status: protocol === "HTTP" ? 200 : 0, ...(protocol === "HTTP" && method !== "HEAD" ? { body: page } : {}), servedBy: host };
      ctx.explain({ text: `A server outside answers for ${host}:${toPort}`, why: "What it says is assumed: outside names are not looked up from here", level: "operator", subject: host });
      ctx.send(ctx.from, answer, { protocol: protocol === "UDP" ? "TCP" : protocol, latency: ctx.latency("link.internet", `${ctx.mail} back`), verb: "answer", status: answer.status, subject: host });
      return { served: state.served + 1 };
    },
  };
}

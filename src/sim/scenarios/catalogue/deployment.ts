import { SECOND } from "../../api/time.ts";
import { applyText, type Scenario } from "../scenario.ts";

const MANIFEST = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: nginx:1.27
          ports:
            - containerPort: 80
          readinessProbe:
            httpGet:
              path: /
              port: 80
`;

export const deployment = {
  id: "deployment",
  title: "A Deployment of two Pods",
  recipe: { world: "ten-nodes", seed: 1, profile: "quiet", inputs: [applyText("web.yaml", MANIFEST, 0)] },
  until: 5 * SECOND,
} satisfies Scenario;

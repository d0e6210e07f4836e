/** What `help` prints: how this terminal works; `kubectl help` is kubectl's own. */
export const HELP = `Commands are answered as they would be at the playhead's time.

Looking (nothing changes):
  kubectl get pods [-o wide|yaml|json|jsonpath=...] [-A] [-n NAMESPACE] [-l LABEL]
  kubectl get nodes, deployments, services, endpointslices, events, pvc, ...
  kubectl describe pod NAME      any kind
  kubectl logs POD [-c CONTAINER] [--previous] [-f]
  kubectl events, explain, diff, wait, rollout status|history, auth can-i,
          api-resources, cluster-info, version

Changing (a new run begins here, the old one stays):
  kubectl apply|create|replace|delete -f FILE    FILE is the editor's manifest
  kubectl apply -f - <<EOF                       or lines up to one with EOF alone
  kubectl create deployment NAME --image=IMAGE   and other generators
  kubectl run, expose, scale, set, label, annotate, taint, patch, edit
  kubectl cordon, uncordon, drain NODE
  kubectl rollout restart|undo|pause|resume deployment NAME

  k                              is short for kubectl
  ... | grep, head, tail, sort, wc
  get -w, logs -f                print on as the playhead moves, until Ctrl+C
  Tab, Tab Tab                   completes a word; lists what it may be
  Up, Down, Ctrl+R               earlier commands; searches them
  Ctrl+L, clear                  empties this screen
  Esc, then Tab                  leaves the terminal
`;

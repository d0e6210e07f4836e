// What help says about commands, in the project's own words: "path|sentence|example|example".
export const COMMAND_TEXTS = `|kubectl talks to the API server of a Kubernetes cluster.
create|Make an object from a file, or from the command line|kubectl create -f pod.yaml|kubectl create deployment web --image=nginx
create clusterrole|Make a ClusterRole|kubectl create clusterrole reader --verb=get,list --resource=pods
create clusterrolebinding|Give a ClusterRole to someone everywhere|kubectl create clusterrolebinding readers --clusterrole=reader --user=jane
create configmap|Make a ConfigMap of literals or files|kubectl create configmap settings --from-literal=LOG_LEVEL=debug
create cronjob|Make a CronJob|kubectl create cronjob tick --image=busybox --schedule="*/1 * * * *" -- date
create deployment|Make a Deployment|kubectl create deployment web --image=nginx --replicas=3
create ingress|Make an Ingress|kubectl create ingress web --rule="example.com/*=web:80"
create job|Make a Job|kubectl create job once --image=busybox -- date|kubectl create job now --from=cronjob/tick
create namespace|Make a Namespace|kubectl create namespace shop
create poddisruptionbudget|Make a PodDisruptionBudget|kubectl create poddisruptionbudget web --selector=app=web --min-available=1
create priorityclass|Make a PriorityClass|kubectl create priorityclass high --value=1000
create quota|Make a ResourceQuota|kubectl create quota small --hard=pods=10,cpu=4
create role|Make a Role|kubectl create role reader --verb=get,list --resource=pods
create rolebinding|Give a role to someone in this namespace|kubectl create rolebinding readers --role=reader --user=jane
create secret|Make a Secret of one of three types
create secret docker-registry|Make a Secret for pulling images|kubectl create secret docker-registry pull --docker-username=u --docker-password=p
create secret generic|Make a Secret of literals or files|kubectl create secret generic key --from-literal=password=x
create secret tls|Make a Secret of a certificate and its key|kubectl create secret tls web --cert=tls.crt --key=tls.key
create service|Make a Service of one of four types
create service clusterip|Make a Service with an address inside the cluster|kubectl create service clusterip web --tcp=80:8080
create service externalname|Make a Service that stands for a DNS name|kubectl create service externalname db --external-name=db.example.com
create service loadbalancer|Make a Service with a load balancer|kubectl create service loadbalancer web --tcp=80:8080
create service nodeport|Make a Service with a port on every node|kubectl create service nodeport web --tcp=80:8080
create serviceaccount|Make a ServiceAccount|kubectl create serviceaccount builder
create token|Ask for a token of a ServiceAccount|kubectl create token builder
expose|Make a Service for a Pod or a workload|kubectl expose deployment web --port=80
run|Start one Pod with an image|kubectl run web --image=nginx
set|Change one aspect of an object
set env|Change environment variables|kubectl set env deployment/web LOG_LEVEL=debug
set image|Change images|kubectl set image deployment/web web=nginx:1.27
set resources|Change requests and limits|kubectl set resources deployment web --limits=cpu=200m,memory=256Mi
set selector|Change the selector of a Service|kubectl set selector service web app=web
set serviceaccount|Change the ServiceAccount|kubectl set serviceaccount deployment web builder
set subject|Change who a binding is for|kubectl set subject rolebinding readers --user=jane
explain|Tell what the fields of a kind mean|kubectl explain pod.spec.containers
get|Show objects|kubectl get pods -o wide|kubectl get deployment web -o yaml
edit|Change an object in an editor|kubectl edit deployment/web
delete|Delete objects|kubectl delete pod web|kubectl delete -f pod.yaml
rollout|Look after the rollout of a workload|kubectl rollout status deployment/web
rollout history|Show the revisions|kubectl rollout history deployment/web
rollout pause|Stop changes from rolling out|kubectl rollout pause deployment/web
rollout restart|Replace all Pods|kubectl rollout restart deployment/web
rollout resume|Let changes roll out again|kubectl rollout resume deployment/web
rollout status|Wait until the rollout is complete|kubectl rollout status deployment/web
rollout undo|Go back to an older revision|kubectl rollout undo deployment/web
scale|Change the number of Pods|kubectl scale deployment/web --replicas=3
autoscale|Make an autoscaler for a workload|kubectl autoscale deployment web --max=5 --cpu=80%
certificate|Decide about requests for certificates
certificate approve|Approve a request|kubectl certificate approve jane
certificate deny|Deny a request|kubectl certificate deny jane
cluster-info|Show where the control plane is|kubectl cluster-info
cluster-info dump|Print much of the cluster's state|kubectl cluster-info dump
top|Show use of CPU and memory
top node|Show use of nodes|kubectl top node
top pod|Show use of Pods|kubectl top pod --containers
cordon|Let no new Pods onto a node|kubectl cordon node-1
uncordon|Let Pods onto a node again|kubectl uncordon node-1
drain|Evict the Pods of a node|kubectl drain node-1 --ignore-daemonsets
taint|Change the taints of nodes|kubectl taint node node-1 key=value:NoSchedule
describe|Show details and events of objects|kubectl describe pod web
logs|Print what a container wrote|kubectl logs web -f
attach|Join a running container|kubectl attach web -i
exec|Run a command in a container|kubectl exec web -- ls
port-forward|Lead a local port to a Pod|kubectl port-forward pod/web 8080:80
proxy|Lead a local port to the API server|kubectl proxy --port=8001
cp|Copy files from and to containers|kubectl cp web:/etc/hosts hosts
auth|Ask about rights
auth can-i|Ask whether something is allowed|kubectl auth can-i create pods
auth reconcile|Bring roles and bindings of a file into force|kubectl auth reconcile -f roles.yaml
auth whoami|Ask who the server takes you for|kubectl auth whoami
debug|Look into a Pod or node with another container|kubectl debug web -it --image=busybox
events|Show events|kubectl events --for pod/web
diff|Show what apply would change|kubectl diff -f pod.yaml
apply|Bring what a file says into force|kubectl apply -f pod.yaml
apply edit-last-applied|Change what was applied last in an editor|kubectl apply edit-last-applied deployment/web
apply set-last-applied|Make a file what was applied last|kubectl apply set-last-applied -f web.yaml
apply view-last-applied|Show what was applied last|kubectl apply view-last-applied deployment/web
patch|Change some fields of an object|kubectl patch deployment web -p '{"spec":{"replicas":2}}'
replace|Put a file in the place of an object|kubectl replace -f pod.yaml
wait|Wait until a condition holds|kubectl wait --for=condition=Ready pod/web
kustomize|Print what a kustomization makes|kubectl kustomize overlays/test
label|Change labels|kubectl label pod web tier=front
annotate|Change annotations|kubectl annotate pod web note="a test"
completion|Print code that completes commands in a shell|kubectl completion bash
api-resources|List the kinds that the server has|kubectl api-resources -o wide
api-versions|List the group versions that the server has|kubectl api-versions
config|Look at and change kubeconfig
config current-context|Show the context in use|kubectl config current-context
config delete-cluster|Remove a cluster|kubectl config delete-cluster old
config delete-context|Remove a context|kubectl config delete-context old
config delete-user|Remove a user|kubectl config delete-user old
config get-clusters|List clusters|kubectl config get-clusters
config get-contexts|List contexts|kubectl config get-contexts
config get-users|List users|kubectl config get-users
config rename-context|Give a context another name|kubectl config rename-context old new
config set|Set one value|kubectl config set contexts.lab.namespace shop
config set-cluster|Set a cluster|kubectl config set-cluster lab --server=https://10.0.0.1:6443
config set-context|Set a context|kubectl config set-context --current --namespace=shop
config set-credentials|Set a user|kubectl config set-credentials jane --token=t
config unset|Remove one value|kubectl config unset contexts.lab.namespace
config use-context|Use another context|kubectl config use-context lab
config view|Print kubeconfig|kubectl config view --minify
kuberc|Look at and change preferences
kuberc set|Set a preference|kubectl kuberc set --section defaults --command get --option output=wide
kuberc view|Print preferences|kubectl kuberc view
plugin|Work with plugins|kubectl plugin list
plugin list|List plugins on the path|kubectl plugin list
version|Show versions of kubectl and server|kubectl version
options|List the flags that all commands take|kubectl options
alpha|Commands that are not finished`;

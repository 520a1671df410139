{{/*
The pod of one kind of process. Takes a list: the root context, the name of the process ("serve" or "worker"), its
arguments.
*/}}
{{- define "tributary.pod" -}}
{{- $root := index . 0 -}}
{{- $process := index . 1 -}}
{{- $arguments := index . 2 -}}
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
automountServiceAccountToken: false
# Requests in progress end, and jobs are handed back.
terminationGracePeriodSeconds: 35
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
containers:
  - name: {{ $process }}
    image: {{ printf "%s:%s" $root.Values.image.repository (default $root.Chart.AppVersion $root.Values.image.tag) | quote }}
    imagePullPolicy: {{ $root.Values.image.pullPolicy }}
    args: {{ toJson $arguments }}
    env:
      - { name: PUBLIC_URL, value: {{ $root.Values.publicUrl | quote }} }
      - { name: TRUSTED_PROXIES, value: {{ join "," $root.Values.trustedProxies | quote }} }
      - { name: METRICS_PORT, value: "9464" }
      {{- range $name, $value := $root.Values.settings }}
      - { name: {{ $name }}, value: {{ $value | toString | quote }} }
      {{- end }}
      - name: DATABASE_URL
        valueFrom: { secretKeyRef: { name: {{ $root.Values.existingSecret }}, key: DATABASE_URL } }
      - name: SECRET_KEYS
        valueFrom: { secretKeyRef: { name: {{ $root.Values.existingSecret }}, key: SECRET_KEYS } }
      - name: SMTP_URL
        valueFrom: { secretKeyRef: { name: {{ $root.Values.existingSecret }}, key: SMTP_URL, optional: true } }
    ports:
      {{- if eq $process "serve" }}
      - { name: http, containerPort: 3000 }
      {{- end }}
      - { name: metrics, containerPort: 9464 }
    {{- if eq $process "serve" }}
    # The first start applies the schema's migrations.
    startupProbe:
      httpGet: { path: /health/ready, port: http }
      periodSeconds: 2
      failureThreshold: 150
    readinessProbe:
      httpGet: { path: /health/ready, port: http }
      periodSeconds: 5
    livenessProbe:
      httpGet: { path: /health/live, port: http }
      periodSeconds: 10
    {{- else }}
    startupProbe:
      tcpSocket: { port: metrics }
      periodSeconds: 2
      failureThreshold: 150
    livenessProbe:
      tcpSocket: { port: metrics }
      periodSeconds: 10
    {{- end }}
    resources: {{- toYaml (index $root.Values $process).resources | nindent 6 }}
    securityContext:
      readOnlyRootFilesystem: true
      allowPrivilegeEscalation: false
      capabilities: { drop: [ALL] }
    volumeMounts:
      - { name: temporary, mountPath: /tmp }
      - { name: data, mountPath: /data }
volumes:
  - { name: temporary, emptyDir: {} }
  - { name: data, emptyDir: {} }
{{- with $root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

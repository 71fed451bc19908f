{{- define "whitehall.name" -}}
{{- if contains "whitehall" .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}{{ else }}{{ printf "%s-whitehall" .Release.Name | trunc 63 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "whitehall.selector" -}}
app.kubernetes.io/name: whitehall
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "whitehall.labels" -}}
{{ include "whitehall.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* A value as the service reads it. Numbers of a file are floats, and large ones would get an exponent. */}}
{{- define "whitehall.plain" -}}
{{- if and (kindIs "float64" .) (eq (floor .) (float64 .)) }}{{ int64 . }}{{ else }}{{ toString . }}{{ end }}
{{- end }}

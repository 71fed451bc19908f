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

{{- /* What no schema can say: how values have to stand to each other. The service would refuse the same. */}}
{{- define "whitehall.agree" -}}
{{- $all := merge (dict) .Values.settings (.Files.Get "files/defaults.json" | fromJson) }}
{{- if le (float64 .Values.graceSeconds) (float64 $all.default_deadline_seconds) }}
{{- fail "whitehall: graceSeconds has to be above settings.default_deadline_seconds, or calls are cut at a shutdown" }}
{{- end }}
{{- if ge (float64 $all.heartbeat_seconds) (mulf $all.stream_minutes 60) }}
{{- fail "whitehall: settings.heartbeat_seconds has to be below settings.stream_minutes, or streams end before the first one" }}
{{- end }}
{{- if gt (int64 $all.max_streams_per_game) (int64 $all.max_streams) }}
{{- fail "whitehall: settings.max_streams_per_game can't be above settings.max_streams" }}
{{- end }}
{{- if and .Values.autoscaling.enabled (gt (int64 .Values.autoscaling.minReplicas) (int64 .Values.autoscaling.maxReplicas)) }}
{{- fail "whitehall: autoscaling.minReplicas can't be above autoscaling.maxReplicas" }}
{{- end }}
{{- end }}

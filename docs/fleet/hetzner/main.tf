# Servers at Hetzner Cloud, as many as `servers` says; HCLOUD_TOKEN holds the key of the project.
# Other providers of OpenTofu have the same two ideas: a server's image, and its user data.
terraform {
  required_version = ">= 1.5.0"
  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = "~> 1.48"
    }
  }
}

variable "servers" {
  description = "How many servers there are."
  type        = number
  default     = 1
}

variable "server_type" {
  description = "Size of each: 16 processors and 32 GB of memory run about 15 terminal tasks at once."
  type        = string
  default     = "cpx51"
}

variable "location" {
  description = "Where they stand."
  type        = string
  default     = "hel1"
}

variable "repository" {
  type = string
}

variable "settings" {
  type      = map(string)
  sensitive = true
}

module "fleet" {
  source     = "../servers"
  repository = var.repository
  settings   = merge({ BENCH_PLACE = "${var.location}, Hetzner" }, var.settings)
}

resource "hcloud_server" "agent" {
  count       = var.servers
  name        = "bench-agent-${count.index + 1}"
  image       = "ubuntu-24.04"
  server_type = var.server_type
  location    = var.location
  user_data   = module.fleet.cloud_init
  labels      = { fleet = "bench" }
}

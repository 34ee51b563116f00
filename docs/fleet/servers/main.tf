# Agents on servers that are there already, reached by SSH. OpenTofu 1.6 or later, or Terraform 1.5;
# no provider is downloaded.
terraform {
  required_version = ">= 1.5.0"
}

variable "hosts" {
  description = "Servers by name: address, user that may become root by sudo without a password, port of SSH."
  type = map(object({
    address = string
    user    = optional(string, "root")
    port    = optional(number, 22)
  }))
  default = {}
}

variable "private_key_file" {
  description = "File of the private key for SSH."
  type        = string
  default     = "~/.ssh/id_ed25519"
}

variable "repository" {
  description = "Address of the clone that servers get the program from."
  type        = string
}

variable "revision" {
  description = "Commit, tag or branch of it."
  type        = string
  default     = "main"
}

variable "settings" {
  description = "Variables of the agents, as in .env: BENCH_EDGE_URL, BENCH_AGENT_TOKEN, keys of providers."
  type        = map(string)
  sensitive   = true

  validation {
    condition     = length(lookup(var.settings, "BENCH_EDGE_URL", "")) > 0 && length(lookup(var.settings, "BENCH_AGENT_TOKEN", "")) > 0
    error_message = "settings needs BENCH_EDGE_URL and BENCH_AGENT_TOKEN."
  }

  validation {
    condition     = alltrue([for name, value in var.settings : can(regex("^[A-Z_][A-Z0-9_]*$", name)) && !can(regex("['\r\n]", value))])
    error_message = "A name in settings has capitals, digits and underscores; a value has one line and no single quote."
  }
}

locals {
  environment = join("\n", concat(
    [for name, value in merge({ COMPOSE_PROFILES = "full" }, var.settings) : "${name}='${value}'"],
    [""],
  ))
  compose = "sudo docker compose --project-directory /opt/bench -f /opt/bench/fleet.compose.yml"
  base    = yamldecode(file("${path.module}/../cloud-init.yaml"))
}

resource "terraform_data" "agent" {
  for_each = var.hosts

  triggers_replace = [each.value, var.repository, var.revision, sha256(local.environment)]
  # What a destroyed server is stopped with: it knows nothing else then.
  input = merge(each.value, { key = var.private_key_file })

  connection {
    type        = "ssh"
    host        = self.input.address
    user        = self.input.user
    port        = self.input.port
    private_key = file(pathexpand(self.input.key))
  }

  provisioner "file" {
    content     = local.environment
    destination = ".bench.env"
  }

  provisioner "remote-exec" {
    inline = [
      "set -eu",
      "chmod 600 .bench.env",
      "command -v docker >/dev/null && docker compose version >/dev/null && command -v git >/dev/null || { sudo apt-get update -qq && sudo apt-get install -y -qq docker.io docker-compose-v2 git; }",
      "sudo test -d /opt/bench || sudo git clone --quiet '${var.repository}' /opt/bench",
      "sudo git -C /opt/bench fetch --quiet origin '${var.revision}'",
      "sudo git -C /opt/bench checkout --quiet --detach FETCH_HEAD",
      "sudo install -m 600 .bench.env /opt/bench/.env",
      "rm .bench.env",
      "${local.compose} up --build --detach --wait",
    ]
  }

  provisioner "remote-exec" {
    when       = destroy
    on_failure = continue
    inline     = ["sudo docker compose --project-directory /opt/bench -f /opt/bench/fleet.compose.yml down --volumes"]
  }
}

output "agents" {
  description = "Servers by name, with the address of each."
  value       = { for name, host in var.hosts : name => host.address }
}

output "cloud_init" {
  description = "User data for a server that a provider's API makes: it joins the fleet at its first start."
  sensitive   = true
  value = join("", ["#cloud-config\n", yamlencode(merge(local.base, {
    write_files = [merge(local.base.write_files[0], { content = local.environment })]
    runcmd = concat(
      [["git", "clone", var.repository, "/opt/bench"], ["git", "-C", "/opt/bench", "checkout", "--detach", var.revision]],
      slice(local.base.runcmd, 1, length(local.base.runcmd)),
    )
  }))])
}

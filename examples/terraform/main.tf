# Provisions an instance through the HTTP gateway. `triggers_replace` names the order: a second apply starts
# nothing, and a lost answer gives the same run. The result is in result.json.
variable "gateway" {
  default = "http://127.0.0.1:8088"
}

resource "terraform_data" "web" {
  triggers_replace = ["order-4711"]

  provisioner "local-exec" {
    command     = "../curl/provision.sh ${self.triggers_replace[0]} ../provision-instance.json > result.json"
    environment = { GATEWAY = var.gateway }
  }
}

const words = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean);

/** Names that hold a secret, as programs and APIs spell them. */
export const SECRET_NAMES = words(`
  password passwd passphrase passcode pass pwd pw adminPass adminPassword admin_pass db_pwd userPassword encrypted_password
  password_hash rootpass dbpassword DB_PASSWORD DBPassword PGPASSWORD password1 PASSWORD_2 new-password passwords
  secret secrets secret_key secretKey clientSecret client-secret aws_secret_access_key shared_secret $secret s3_secret
  token tokens accessToken access_token refresh_token id_token apitoken authToken x-auth-token bearer_token sas_token jwt
  api_key apiKey apikey API_KEY APIKey x-api-key app_key access_key accessKey account_key encryption_key signing_key
  master_key session_key license_key stream_key ssh_private_key private_key privateKey private-key PRIVATE_KEY_PEM
  private_ssh_key tls_key ssl_key client_key_data certificate_key deploy_key hmac_key psk PSK pre_shared_key preSharedKey
  presharedkey preshared_key credential credentials creds cred auth basic_auth basicAuth proxy_auth auth_code authorization
  proxy-authorization Authorization cookie set-cookie signature kubeconfig kube_config kubeConfig dsn database_dsn
  connection_string connectionString conn_str connection_uri database_url db_uri redis_url MONGO_URL user_data userData
  cloud_init cloudConfig webhook_url webhookUrl keystore htpasswd pkcs12 pfx pin user_pin otp totp recovery_codes
  backup_code snmp_community mnemonic seed_phrase service_account_json dockerconfigjson ｐassword
  priv_key decrypt_key enc_key unseal_key fernetKey key_material preshared rootpw admin_pw bindpw kennwort contrasena pincode pin_code
  mfaCode activation_code presigned_url signedUrl sas_url stripe_key openaiKey sendgrid_key secure_key drm_key luksKey pkey cvv`);

/** Names that look like them, and must stay usable. */
export const PLAIN_NAMES = words(`
  public_key publicKey key_name ssh_key_name sshKeyName keypair_name keypair ssh_key_id key keys partition_key sort_key
  tag_key cache_key routing_key authorized_keys public_api_key token_count token_expiration token_type max_tokens_count
  tokens_left token_ttl tokenizer authorized author authors authority unauthorized auth_url auth_type auth_mode passive
  compass bypass passenger passport pass_through passthrough monkey turkey keyboard secretary secret_id secret_name
  secretName tls_secret_id default_tls_container_ref sni_secret_id password_policy password_mode password_min_length
  password_id pwd_updated_at access_key_id encryption_key_id kms_key_name session_persistence certificate
  certificate_chain ca_certificate name description tags metadata image_id flavor_id volume_type user username login
  data user_id database_name db_port url image_url callback_uri connection_limit pinned pin_memory spin pipeline signal
  signature_algorithm cookie_name compassion trespass hash_key primary_key config_id configuration_version cloud_id
  max_tokens minTokens has_password hasPassword is_secret allow_password_login require_token secrets_dir SecretUnavailable
  authentication authenticator passes_count id type status port protocol address script notes code country_code
  passwordless passwordAuthentication auth_backend secret_store token_bucket cert_pem client_certificate_pem serverCertPem
  signed_at zip_code status_code material`);

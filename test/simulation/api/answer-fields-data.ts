/**
 * What may be missing or null in the answers to the calls that the product makes, from the API's public documents
 * (OpenAPI of 2026-08-20). A line without an indent is a call, with `…` for ids; below it are fields: `?` may be
 * missing, `0` may be null. A call that is not here has only fields that are always there.
 */
export const ANSWER_FIELDS = `
GET /cloud/v1/apptemplates/…/…/…
  app_config0 min_vcpus0 os_version0 region_id0
GET /cloud/v1/ddos/profile-templates/…
  results[].description0 results[].fields[].default0 results[].fields[].description0
  results[].fields[].field_type0 results[].fields[].required0
GET /cloud/v1/ddos/profiles/…/…
  results[].fields[].default0 results[].fields[].description0 results[].fields[].field_type0
  results[].fields[].required0 results[].ip_address0 results[].profile_template0
  results[].profile_template.description0 results[].profile_template_description0
  results[].protocols0 results[].site0 results[].status0
GET /cloud/v1/flavors/…/…
  results[].currency_code0 results[].price_per_hour0 results[].price_per_month0
  results[].price_status0
GET /cloud/v1/floatingips/…/…
  results[].creator_task_id0 results[].fixed_ip_address0 results[].floating_ip_address0
  results[].instance0 results[].instance.instance_description0 results[].instance.ssh_key_name0
  results[].instance.task_id0 results[].instance.task_state0 results[].loadbalancer0
  results[].loadbalancer.additional_vips? results[].loadbalancer.creator_task_id?0
  results[].loadbalancer.ddos_profile?0 results[].loadbalancer.ddos_profile.profile_template0
  results[].loadbalancer.ddos_profile.profile_template_description0
  results[].loadbalancer.ddos_profile.protocols0 results[].loadbalancer.ddos_profile.site0
  results[].loadbalancer.ddos_profile.status0 results[].loadbalancer.flavor?0
  results[].loadbalancer.floating_ips? results[].loadbalancer.listeners?
  results[].loadbalancer.logging?0 results[].loadbalancer.logging.destination_region_id0
  results[].loadbalancer.logging.retention_policy?0 results[].loadbalancer.logging.topic_name0
  results[].loadbalancer.preferred_connectivity? results[].loadbalancer.stats?0
  results[].loadbalancer.task_id?0 results[].loadbalancer.updated_at?0
  results[].loadbalancer.vip_address?0 results[].loadbalancer.vip_fqdn?0
  results[].loadbalancer.vip_ip_family?0 results[].loadbalancer.vip_port_id?0
  results[].loadbalancer.vrrp_ips? results[].port_id0 results[].router_id0 results[].status0
  results[].task_id0
GET /cloud/v1/floatingips/…/…/…
  creator_task_id0 fixed_ip_address0 floating_ip_address0 port_id0 router_id0 status0 task_id0
GET /cloud/v1/images/…/…/…
  creator_task_id0 currency_code0 description0 display_order0 gpu_driver0 gpu_driver_type0
  gpu_driver_version0 hw_firmware_type0 hw_machine_type0 price_per_hour0 price_per_month0
  price_status0 size0 ssh_key0 task_id0
GET /cloud/v1/instances/…/…
  results[].creator_task_id0 results[].ddos_profile0 results[].ddos_profile.profile_template0
  results[].ddos_profile.profile_template.description0
  results[].ddos_profile.profile_template_description0 results[].ddos_profile.protocols0
  results[].ddos_profile.site0 results[].ddos_profile.status0 results[].fixed_ip_assignments0
  results[].instance_description0 results[].instance_isolation0
  results[].instance_isolation.reason?0 results[].ssh_key_name0 results[].task_id0
  results[].task_state0
GET /cloud/v1/instances/…/…/…
  creator_task_id0 ddos_profile0 ddos_profile.fields[].default0 ddos_profile.fields[].description0
  ddos_profile.fields[].field_type0 ddos_profile.fields[].required0 ddos_profile.profile_template0
  ddos_profile.profile_template.description0 ddos_profile.profile_template.fields[].default0
  ddos_profile.profile_template.fields[].description0
  ddos_profile.profile_template.fields[].field_type0
  ddos_profile.profile_template.fields[].required0 ddos_profile.profile_template_description0
  ddos_profile.protocols0 ddos_profile.site0 ddos_profile.status0 fixed_ip_assignments0
  instance_description0 instance_isolation0 instance_isolation.reason?0 ssh_key_name0 task_id0
  task_state0
GET /cloud/v1/instances/…/…/…/interfaces
  results[].allowed_address_pairs[].mac_address?0 results[].floatingip_details[].creator_task_id0
  results[].floatingip_details[].fixed_ip_address0
  results[].floatingip_details[].floating_ip_address0 results[].floatingip_details[].port_id0
  results[].floatingip_details[].router_id0 results[].floatingip_details[].status0
  results[].floatingip_details[].task_id0 results[].interface_name?0 results[].mac_address?0
  results[].network_details.creator_task_id0 results[].network_details.default0
  results[].network_details.project_id0 results[].network_details.segmentation_id0
  results[].network_details.task_id0 results[].sub_ports[].interface_name?0
  results[].sub_ports[].mac_address?0
GET /cloud/v1/networks/…/…/…
  creator_task_id0 default0 project_id0 segmentation_id0 task_id0
GET /cloud/v1/projects
  results[].deleted_at0 results[].description0 results[].task_id0
GET /cloud/v1/regions
  results[].available_volume_types0 results[].coordinates0 results[].ddos_endpoint_id?0
  results[].external_network_id0 results[].file_share_types0 results[].metrics_database_id0
  results[].task_id0 results[].zone0
GET /cloud/v1/regions/…
  available_volume_types0 coordinates0 ddos_endpoint_id?0 external_network_id0 file_share_types0
  metrics_database_id0 task_id0 zone0
GET /cloud/v1/snapshots/…/…
  results[].description0 results[].task_id0
GET /cloud/v1/snapshots/…/…/…
  description0 task_id0
GET /cloud/v1/ssh_keys/…
  results[].created_at0 results[].project_id0
GET /cloud/v1/subnets/…/…/…
  available_ips?0 creator_task_id?0 dns_nameservers?0 gateway_ip?0 has_router? host_routes?0
  task_id?0 total_ips?0
GET /cloud/v1/tasks
  results[].acknowledged_at?0 results[].acknowledged_by?0 results[].client_id?0
  results[].created_on0 results[].created_resources?0 results[].created_resources.ai_clusters?
  results[].created_resources.api_keys? results[].created_resources.caas_containers?
  results[].created_resources.clusters? results[].created_resources.ddos_profiles?
  results[].created_resources.faas_functions? results[].created_resources.faas_namespaces?
  results[].created_resources.file_shares? results[].created_resources.floatingips?
  results[].created_resources.healthmonitors? results[].created_resources.images?
  results[].created_resources.inference_instances? results[].created_resources.instances?
  results[].created_resources.k8s_clusters? results[].created_resources.k8s_pools?
  results[].created_resources.l7polices? results[].created_resources.l7rules?
  results[].created_resources.laas_topic? results[].created_resources.listeners?
  results[].created_resources.loadbalancers? results[].created_resources.members?
  results[].created_resources.networks? results[].created_resources.pools?
  results[].created_resources.ports? results[].created_resources.postgresql_clusters?
  results[].created_resources.projects? results[].created_resources.registry_registries?
  results[].created_resources.registry_users? results[].created_resources.routers?
  results[].created_resources.secrets? results[].created_resources.security_group_rules?
  results[].created_resources.security_groups? results[].created_resources.servergroups?
  results[].created_resources.snapshots? results[].created_resources.subnets?
  results[].created_resources.volumes? results[].data? results[].detailed_state?0
  results[].error?0 results[].finished_on?0 results[].job_id?0 results[].lifecycle_policy_id?0
  results[].project_id?0 results[].region_id?0 results[].request_id?0 results[].schedule_id?0
  results[].updated_on?0 results[].user_client_id?0
GET /cloud/v1/tasks/…
  acknowledged_at?0 acknowledged_by?0 client_id?0 created_on0 created_resources?0
  created_resources.ai_clusters? created_resources.api_keys? created_resources.caas_containers?
  created_resources.clusters? created_resources.ddos_profiles? created_resources.faas_functions?
  created_resources.faas_namespaces? created_resources.file_shares? created_resources.floatingips?
  created_resources.healthmonitors? created_resources.images?
  created_resources.inference_instances? created_resources.instances?
  created_resources.k8s_clusters? created_resources.k8s_pools? created_resources.l7polices?
  created_resources.l7rules? created_resources.laas_topic? created_resources.listeners?
  created_resources.loadbalancers? created_resources.members? created_resources.networks?
  created_resources.pools? created_resources.ports? created_resources.postgresql_clusters?
  created_resources.projects? created_resources.registry_registries?
  created_resources.registry_users? created_resources.routers? created_resources.secrets?
  created_resources.security_group_rules? created_resources.security_groups?
  created_resources.servergroups? created_resources.snapshots? created_resources.subnets?
  created_resources.volumes? data? detailed_state?0 error?0 finished_on?0 job_id?0
  lifecycle_policy_id?0 project_id?0 region_id?0 request_id?0 schedule_id?0 updated_on?0
  user_client_id?0
GET /cloud/v1/volumes/…/…
  results[].attachments?0 results[].attachments[].attached_at?0 results[].attachments[].device?0
  results[].attachments[].flavor_id?0 results[].attachments[].instance_name?0
  results[].attachments[].server_id?0 results[].creator_task_id?0 results[].limiter_stats?0
  results[].snapshot_ids?0 results[].task_id?0 results[].updated_at?0
  results[].volume_image_metadata?0
GET /cloud/v1/volumes/…/…/…
  attachments?0 attachments[].attached_at?0 attachments[].device?0 attachments[].flavor_id?0
  attachments[].instance_name?0 attachments[].server_id?0 creator_task_id?0 limiter_stats?0
  snapshot_ids?0 task_id?0 updated_at?0 volume_image_metadata?0
GET /fastedge/v1/kv
  stores[].comment? stores[].size?
GET /fastedge/v1/kv/…
  app_count? byod? comment? revision? size? updated_at?
GET /fastedge/v1/kv/…/data
  entries[].payload? entries[].payload.encoding? entries[].payload.expiry?
GET /fastedge/v1/kv/…/data/…
  payload? payload.encoding? payload.expiry? payload[].encoding? payload[].score?
GET /streaming/videos
  [].ad_id? [].cdn_views? [].client_id? [].client_user_id? [].converted_videos?
  [].converted_videos[].error? [].converted_videos[].height? [].converted_videos[].id?
  [].converted_videos[].mp4_url? [].converted_videos[].name? [].converted_videos[].progress?
  [].converted_videos[].size? [].converted_videos[].status? [].converted_videos[].width?
  [].created_at? [].custom_iframe_url? [].dash_url? [].description? [].directory_id? [].duration?
  [].error? [].hls_cmaf_url? [].hls_url? [].id? [].name? [].origin_size? [].origin_url?
  [].origin_video_duration? [].poster? [].poster_thumb? [].priority? [].projection?
  [].quality_set_id? [].record_type?0 [].recording_started_at? [].screenshot? [].screenshot_id?
  [].screenshots? [].share_url? [].slug? [].status? [].stream_id? [].updated_at? [].views?
GET /streaming/videos/…
  ad_id? cdn_views? client_id? client_user_id? converted_videos? converted_videos[].error?
  converted_videos[].height? converted_videos[].id? converted_videos[].mp4_url?
  converted_videos[].name? converted_videos[].progress? converted_videos[].size?
  converted_videos[].status? converted_videos[].width? created_at? custom_iframe_url? dash_url?
  description? directory_id? duration? error? hls_cmaf_url? hls_url? id? iframe_url? name?
  origin_size? origin_url? origin_video_duration? poster? poster_thumb? priority? projection?
  quality_set_id? record_type?0 recording_started_at? screenshot? screenshot_id? screenshots?
  share_url? slug? sprite? sprite_vtt? status? stream_id? updated_at? views?
GET /streaming/videos/…/subtitles
  [].id? [].language? [].name? [].vtt?
GET /streaming/videos/…/subtitles/…
  id? language? name? vtt?
PATCH /storage/v4/sftp_storages/…
  password?
PATCH /streaming/videos/…
  ad_id? cdn_views? client_id? client_user_id? converted_videos? converted_videos[].error?
  converted_videos[].height? converted_videos[].id? converted_videos[].mp4_url?
  converted_videos[].name? converted_videos[].progress? converted_videos[].size?
  converted_videos[].status? converted_videos[].width? created_at? custom_iframe_url? dash_url?
  description? directory_id? duration? error? hls_cmaf_url? hls_url? id? iframe_url? name?
  origin_size? origin_url? origin_video_duration? poster? poster_thumb? priority? projection?
  quality_set_id? record_type?0 recording_started_at? screenshot? screenshot_id? screenshots?
  share_url? slug? sprite? sprite_vtt? status? stream_id? updated_at? views?
POST /cloud/v1/instances/…/…/available_flavors
  results[].currency_code0 results[].price_per_hour0 results[].price_per_month0
  results[].price_status0
POST /cloud/v2/instances/…/…/check_limits
  baremetal_basic_count_limit? baremetal_basic_count_requested? baremetal_basic_count_usage?
  baremetal_gpu_a100_count_limit? baremetal_gpu_a100_count_requested?
  baremetal_gpu_a100_count_usage? baremetal_gpu_h100_count_limit?
  baremetal_gpu_h100_count_requested? baremetal_gpu_h100_count_usage?
  baremetal_gpu_h200_count_limit? baremetal_gpu_h200_count_requested?
  baremetal_gpu_h200_count_usage? baremetal_gpu_l40s_count_limit?
  baremetal_gpu_l40s_count_requested? baremetal_gpu_l40s_count_usage? baremetal_hf_count_limit?
  baremetal_hf_count_requested? baremetal_hf_count_usage? baremetal_infrastructure_count_limit?
  baremetal_infrastructure_count_requested? baremetal_infrastructure_count_usage?
  baremetal_network_count_limit? baremetal_network_count_requested? baremetal_network_count_usage?
  baremetal_storage_count_limit? baremetal_storage_count_requested? baremetal_storage_count_usage?
  caas_container_count_limit? caas_container_count_requested? caas_container_count_usage?
  caas_cpu_count_limit? caas_cpu_count_requested? caas_cpu_count_usage? caas_gpu_count_limit?
  caas_gpu_count_requested? caas_gpu_count_usage? caas_ram_size_limit? caas_ram_size_requested?
  caas_ram_size_usage? cluster_count_limit? cluster_count_requested? cluster_count_usage?
  cpu_count_limit? cpu_count_requested? cpu_count_usage? dbaas_postgres_cluster_count_limit?
  dbaas_postgres_cluster_count_requested? dbaas_postgres_cluster_count_usage?
  external_ip_count_limit? external_ip_count_requested? external_ip_count_usage?
  faas_cpu_count_limit? faas_cpu_count_requested? faas_cpu_count_usage? faas_function_count_limit?
  faas_function_count_requested? faas_function_count_usage? faas_namespace_count_limit?
  faas_namespace_count_requested? faas_namespace_count_usage? faas_ram_size_limit?
  faas_ram_size_requested? faas_ram_size_usage? firewall_count_limit? firewall_count_requested?
  firewall_count_usage? floating_count_limit? floating_count_requested? floating_count_usage?
  gpu_count_limit? gpu_count_requested? gpu_count_usage? gpu_virtual_a100_count_limit?
  gpu_virtual_a100_count_requested? gpu_virtual_a100_count_usage? gpu_virtual_h100_count_limit?
  gpu_virtual_h100_count_requested? gpu_virtual_h100_count_usage? gpu_virtual_h200_count_limit?
  gpu_virtual_h200_count_requested? gpu_virtual_h200_count_usage? gpu_virtual_l40s_count_limit?
  gpu_virtual_l40s_count_requested? gpu_virtual_l40s_count_usage? image_count_limit?
  image_count_requested? image_count_usage? image_size_limit? image_size_requested?
  image_size_usage? ipu_count_limit? ipu_count_requested? ipu_count_usage? laas_topic_count_limit?
  laas_topic_count_requested? laas_topic_count_usage? loadbalancer_count_limit?
  loadbalancer_count_requested? loadbalancer_count_usage? network_count_limit?
  network_count_requested? network_count_usage? ram_limit? ram_requested? ram_usage?
  registry_count_limit? registry_count_requested? registry_count_usage? registry_storage_limit?
  registry_storage_requested? registry_storage_usage? router_count_limit? router_count_requested?
  router_count_usage? secret_count_limit? secret_count_requested? secret_count_usage?
  servergroup_count_limit? servergroup_count_requested? servergroup_count_usage? sfs_count_limit?
  sfs_count_requested? sfs_count_usage? sfs_size_limit? sfs_size_requested? sfs_size_usage?
  shared_vm_count_limit? shared_vm_count_requested? shared_vm_count_usage?
  snapshot_schedule_count_limit? snapshot_schedule_count_requested? snapshot_schedule_count_usage?
  subnet_count_limit? subnet_count_requested? subnet_count_usage? vm_count_limit?
  vm_count_requested? vm_count_usage? volume_count_limit? volume_count_requested?
  volume_count_usage? volume_size_limit? volume_size_requested? volume_size_usage?
  volume_snapshots_count_limit? volume_snapshots_count_requested? volume_snapshots_count_usage?
  volume_snapshots_size_limit? volume_snapshots_size_requested? volume_snapshots_size_usage?
POST /fastedge/v1/kv
  app_count? byod? comment? id? revision? size? updated_at?
POST /storage/v4/sftp_storages
  password?
POST /streaming/videos
  [].ad_id? [].cdn_views? [].client_id? [].client_user_id? [].converted_videos?
  [].converted_videos[].error? [].converted_videos[].height? [].converted_videos[].id?
  [].converted_videos[].mp4_url? [].converted_videos[].name? [].converted_videos[].progress?
  [].converted_videos[].size? [].converted_videos[].status? [].converted_videos[].width?
  [].created_at? [].custom_iframe_url? [].dash_url? [].description? [].directory_id? [].duration?
  [].error? [].hls_cmaf_url? [].hls_url? [].id? [].iframe_url? [].name? [].origin_size?
  [].origin_url? [].origin_video_duration? [].poster? [].poster_thumb? [].priority? [].projection?
  [].quality_set_id? [].record_type?0 [].recording_started_at? [].screenshot? [].screenshot_id?
  [].screenshots? [].share_url? [].slug? [].sprite? [].sprite_vtt? [].status? [].stream_id?
  [].updated_at? [].views?
POST /streaming/videos/batch
  [].ad_id? [].cdn_views? [].client_id? [].client_user_id? [].converted_videos?
  [].converted_videos[].error? [].converted_videos[].height? [].converted_videos[].id?
  [].converted_videos[].mp4_url? [].converted_videos[].name? [].converted_videos[].progress?
  [].converted_videos[].size? [].converted_videos[].status? [].converted_videos[].width?
  [].created_at? [].custom_iframe_url? [].dash_url? [].description? [].directory_id? [].duration?
  [].error? [].hls_cmaf_url? [].hls_url? [].id? [].iframe_url? [].name? [].origin_size?
  [].origin_url? [].origin_video_duration? [].poster? [].poster_thumb? [].priority? [].projection?
  [].quality_set_id? [].record_type?0 [].recording_started_at? [].screenshot? [].screenshot_id?
  [].screenshots? [].share_url? [].slug? [].sprite? [].sprite_vtt? [].status? [].stream_id?
  [].updated_at? [].views?
POST /streaming/videos/…/subtitles
  id? language? name? vtt?
PUT /fastedge/v1/kv/…
  app_count? byod? comment? revision? size? updated_at?`;

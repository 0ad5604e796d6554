#!/usr/bin/env python3
"""Makes a user of a moto server on this machine, then switches the server's authentication on.

s3_user.py URL    Prints the access key and the secret of the user, who may do everything with S3.
"""

import json
import sys
import urllib.request

import boto3

url = sys.argv[1]
iam = boto3.client("iam", endpoint_url=url, region_name="us-east-1", aws_access_key_id="nobody",
                   aws_secret_access_key="nothing")
iam.create_user(UserName="mediabatch")
policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
arn = iam.create_policy(PolicyName="everything", PolicyDocument=json.dumps(policy))["Policy"]["Arn"]
iam.attach_user_policy(UserName="mediabatch", PolicyArn=arn)
key = iam.create_access_key(UserName="mediabatch")["AccessKey"]
# From now on each call has to be signed by that key.
urllib.request.urlopen(urllib.request.Request(
    url + "/moto-api/reset-auth", data=b"0", headers={"Content-Type": "text/plain"}, method="POST")).close()
print(key["AccessKeyId"], key["SecretAccessKey"])

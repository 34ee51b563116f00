/** A compose file as the tasks of the first Terminal-Bench have it; `more`: further lines of the service `client`. */
export const plainCompose = (more = ''): string => `services:
  client:
    build:
      dockerfile: Dockerfile
    image: \${T_BENCH_TASK_DOCKER_CLIENT_IMAGE_NAME}
    container_name: \${T_BENCH_TASK_DOCKER_CLIENT_CONTAINER_NAME}
    command: [ "sh", "-c", "sleep infinity" ]
    environment:
      - TEST_DIR=\${T_BENCH_TEST_DIR}
    volumes:
      - \${T_BENCH_TASK_LOGS_PATH}:\${T_BENCH_CONTAINER_LOGS_PATH}
      - \${T_BENCH_TASK_AGENT_LOGS_PATH}:\${T_BENCH_CONTAINER_AGENT_LOGS_PATH}
${more}`

/** The least that is a task of the first Terminal-Bench. */
export const plainTask1 = {
  'task.yaml': 'instruction: |-\n  Count the lines.\ndifficulty: hard\n',
  'docker-compose.yaml': plainCompose(),
  Dockerfile: 'FROM scratch\nCOPY in.txt /app/\n',
  'in.txt': 'a\nb\n',
  'run-tests.sh': 'pytest -rA $TEST_DIR/test_outputs.py\n',
  'solution.sh': 'wc -l /app/in.txt > /app/out.txt\n',
  'tests/test_outputs.py': 'def test_a(): pass\n',
}

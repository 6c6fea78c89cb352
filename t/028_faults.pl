# SPDX-License-Identifier: GPL-3.0-or-later
# Kills, power cuts, failing disks and failovers while tables of every regime and
# accountant are asked: no answer is forgotten, and nothing is charged that nobody
# asked for.  FAULT_ROUNDS=20 does all of it twenty times as often.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Errno qw(EIO ENOSPC);
use FaultTest;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;
use Time::HiRes qw(usleep);

my $library = PostgreSQL::Test::Utils::tempdir . '/faulty_disk.so';
system('cc', '-shared', '-fPIC', '-o', $library, "$ENV{PA_WORK}/t/faulty_disk.c", '-ldl') == 0 or die 'faulty_disk.c cannot be compiled';

# False if there is none.
sub kill_one
{
	my ($node, $type) = @_;
	my $pid = $node->safe_psql('postgres', qq(SELECT pid FROM pg_stat_activity
		WHERE backend_type = '$type' AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1));

	return $pid ne '' && kill 'KILL', $pid;
}

# Something happens while analysts ask.
sub round
{
	my ($node, $sums, $happens) = @_;
	my @clients = start_load($node);

	await_answers(5, @clients);
	usleep int rand 300_000;			# at any moment
	$happens->();
	finish_load($sums, @clients);
	return;
}

sub start_again
{
	my ($node) = @_;

	return $node->{_pid} ? await_server($node) : $node->start;
}

# --- kills ---

sub test_kills
{
	my $node = new_node('killed', restart_after_crash => 'on');
	my %sums;

	$node->start;
	setup_everything($node);
	for my $i (1 .. rounds(2))
	{
		for my $victim ('server', 'client backend', 'privacct ledger')
		{
			round($node, \%sums, sub { $victim ne 'server' && kill_one($node, $victim) or kill_server($node) });
			start_again($node);
			check_everything($node, \%sums, "$victim killed, $i");
		}
	}
	$node->stop;
	return;
}

# --- power cuts ---

# What was written and not synced is gone: a segment holds what it held when it was
# last synced, or nothing.
sub cut_power
{
	my ($node, $synced) = @_;
	my $size = 1024 * 1024;

	kill_server($node);
	for my $segment (grep { m{/[0-9A-F]{24}$} } glob $node->data_dir . '/pg_wal/*')
	{
		my ($name) = $segment =~ m{([^/]+)$};
		my $left = -f "$synced/$name" ? slurp_file("$synced/$name") : '';

		open(my $file, '>:raw', $segment) or die "$segment: $!";
		print $file $left . "\0" x ($size - length $left);
		close $file or die "$segment: $!";
	}
	return;
}

sub node_without_power
{
	my ($name, %conf) = @_;
	my $node = new_node($name, extra => ['--wal-segsize=1'], wal_recycle => 'off', max_wal_size => '1GB',
		checkpoint_timeout => '1h', bgwriter_lru_maxpages => 0, %conf);
	my $synced = PostgreSQL::Test::Utils::tempdir;

	return ($node, $synced);
}

sub start_watched
{
	my ($node, $synced) = @_;
	local $ENV{LD_PRELOAD} = $library;
	local $ENV{FAULTY_DISK_SYNCED} = $synced;

	$node->start;
	return;
}

sub test_power_cuts
{
	my ($node, $synced) = node_without_power('dark');
	my %sums;

	start_watched($node, $synced);
	setup_everything($node);
	for my $i (1 .. rounds(4))
	{
		round($node, \%sums, sub { cut_power($node, $synced) });
		start_watched($node, $synced);
		check_everything($node, \%sums, "power cut, $i");
	}
	$node->stop;
	return;
}

# The cut takes away what it says: answers that were charged to a disk without sync are forgotten.
sub test_that_power_is_cut
{
	my ($node, $synced) = node_without_power('careless', fsync => 'off', 'privacct.require_durable_storage' => 'off');

	start_watched($node, $synced);
	setup_hospital($node);
	$node->stop;
	append_to_file("$synced/" . (split m{/}, $_)[-1], slurp_file($_)) for grep { m{/[0-9A-F]{24}$} } glob $node->data_dir . '/pg_wal/*';
	start_watched($node, $synced);
	ask_value($node, $PrivacctTest::QUERY) for 1 .. 5;
	is(releases($node), 5, 'without sync: five answers are charged');
	cut_power($node, $synced);
	start_watched($node, $synced);
	cmp_ok(releases($node), '<', 5, 'without sync: some are forgotten when power is cut');
	$node->stop;
	return;
}

# --- disks ---

my @faults = (
	[ 'no room for WAL' => "write /pg_wal/ " . ENOSPC ],
	[ 'WAL cannot be written' => "write /pg_wal/ " . EIO ],
	[ 'WAL cannot be synced' => "sync /pg_wal/ " . EIO ],
	[ 'no room for data' => "write /base/ " . ENOSPC ],
	[ 'data cannot be written' => "write /base/ " . EIO ],
	[ 'data cannot be synced' => "sync /base/ " . EIO ]);

# What a server does that cannot write: a checkpoint meets the data, too.
sub break_disk
{
	my ($node, $orders, $order) = @_;

	append_to_file("$orders.new", "$order\n");
	rename "$orders.new", $orders or die "$orders: $!";
	eval { executes($node, 'CHECKPOINT') };
	usleep 300_000;
	unlink $orders;
	return;
}

sub test_disks
{
	my $node = new_node('broken', restart_after_crash => 'on', shared_buffers => '1MB');
	my $orders = PostgreSQL::Test::Utils::tempdir . '/orders';
	my %sums;

	{
		local $ENV{LD_PRELOAD} = $library;
		local $ENV{FAULTY_DISK_ORDERS} = $orders;
		$node->start;
	}
	setup_everything($node);
	for my $i (1 .. rounds(1))
	{
		for my $fault (@faults)
		{
			my ($name, $order) = @$fault;
			my $offset = -s $node->logfile;

			round($node, \%sums, sub { break_disk($node, $orders, $order) });
			if (!await_or_gone($node))
			{
				local $ENV{LD_PRELOAD} = $library;
				local $ENV{FAULTY_DISK_ORDERS} = $orders;
				$node->start;
			}
			like(slurp_file($node->logfile, $offset), $order =~ / ${\ENOSPC}$/ ? qr/No space left on device/ : qr{Input/output error}, "$name, $i: the server has met it");
			check_everything($node, \%sums, "$name, $i");
		}
	}
	$node->stop;
	return;
}

# True once the server lets sessions in; false if it has ended.
sub await_or_gone
{
	my ($node) = @_;

	for (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
	{
		return 1 if executes($node, 'SELECT');
		if (!kill 0, $node->{_pid})
		{
			$node->_update_pid(0);
			return 0;
		}
		usleep 100_000;
	}
	return 0;
}

# --- shared memory ---

# What is kept for repeats is only offered: without room for it the answer comes all the same.
sub test_shared_memory
{
	my $node = new_node('crowded', dynamic_shared_memory_type => 'mmap');
	my $orders = PostgreSQL::Test::Utils::tempdir . '/crowded';
	my $offset;

	{
		local $ENV{LD_PRELOAD} = $library;
		local $ENV{FAULTY_DISK_ORDERS} = $orders;
		$node->start;
	}
	setup_hospital($node);
	$node->safe_psql('postgres', "SELECT privacct.set_repeats('visit', '1 day')");
	ask_value($node, $PrivacctTest::QUERY);
	is($node->safe_psql('postgres', 'SELECT count(*) FROM privacct.stored_release'), 1, 'shared memory: a release is kept');
	$node->safe_psql('postgres', "SELECT privacct.set_repeats('visit', NULL), privacct.set_repeats('visit', '1 day')");
	append_to_file($orders, 'write /pg_dynshmem/ ' . ENOSPC . "\n");
	ok(defined ask_value($node, "BEGIN; $PrivacctTest::QUERY; COMMIT"), 'no shared memory: answered');
	unlink $orders;
	is(releases($node), 2, 'no shared memory: charged once');
	is($node->safe_psql('postgres', 'SELECT count(*) FROM privacct.stored_release'), 0, 'no shared memory: nothing is kept');
	unlike(slurp_file($node->logfile), qr/leak/, 'no shared memory: nothing is left behind');
	$node->stop;
	return;
}

# --- failovers ---

sub test_failovers
{
	my $primary = new_node('primary0', allows_streaming => 1, 'privacct.lossless_promotion' => 'on');
	my %sums;

	$primary->start;
	setup_everything($primary);
	for my $i (1 .. rounds(2))
	{
		my $standby = PostgreSQL::Test::Cluster->new("primary$i");

		$primary->backup("backup$i");
		$standby->init_from_backup($primary, "backup$i", has_streaming => 1);
		$standby->start;
		$primary->append_conf('postgresql.conf', "synchronous_standby_names = '*'\n");
		$primary->reload;
		$primary->poll_query_until('postgres', q(SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')));
		round($primary, \%sums, sub { kill_server($primary) });
		$standby->append_conf('postgresql.conf', "synchronous_standby_names = ''\n");
		$standby->reload;
		$standby->promote;
		check_everything($standby, \%sums, "failover $i");
		$primary = $standby;
	}
	$primary->stop;
	return;
}

test_kills();
test_power_cuts();
test_that_power_is_cut();
test_disks();
test_shared_memory();
test_failovers();
done_testing();
